// Loaded into a server before its program. Answers its parent's messages with what went on since the last
// one.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 5;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
let cpu = process.cpuUsage();

/** Beyond the pause between two samples. */
const toMs = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);

process.on('message', () => {
  const { user, system } = process.cpuUsage(cpu);
  process.send({
    cpuMs: (user + system) / 1000,
    delayP99: toMs(delay.percentile(99)),
    delayMax: toMs(delay.max),
  });
  delay.reset();
  cpu = process.cpuUsage();
});
process.channel.unref();
