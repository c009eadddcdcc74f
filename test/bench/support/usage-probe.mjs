// Loaded into a command before its program. Writes the used resources to file descriptor 3 at the end.
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread)
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    writeSync(3, JSON.stringify({ cpuMicroseconds: userCPUTime + systemCPUTime, peakKilobytes: maxRSS }));
  });
