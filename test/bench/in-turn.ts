import { defined } from '../../src/lib/defined.js';
import { measureRequests } from './load.js';
import type { BenchRequest, Measurement } from './load.js';
import type { RunningServer } from './processes.js';

/** A request to one of the servers that are compared. */
export interface Contender {
  readonly server: RunningServer;
  readonly request: BenchRequest;
}

/**
 * Short, so that what else runs on the machine slows all contenders alike; but so long that opening
 * connections does not count, which takes as long as a thousand short answers.
 */
const ROUND_SECONDS = 0.5;
const WARM_UP_SECONDS = 1;

/** The round in the middle, but with the least CPU: whatever else runs only adds to what a request takes. */
const summarize = (rounds: readonly Measurement[]): Measurement => ({
  ...defined(rounds.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(rounds.length / 2)], 'a round'),
  cpuMicros: Math.min(...rounds.map(({ cpuMicros }) => cpuMicros)),
});

/** Drives all contenders in turn, each for so many seconds in all, and returns what was measured of each. */
export async function measureInTurn(
  contenders: readonly Contender[],
  seconds: number,
): Promise<readonly Measurement[]> {
  const measureEach = async (length: number): Promise<readonly Measurement[]> => {
    const measured: Measurement[] = [];
    for (const { server, request } of contenders)
      measured.push(await measureRequests(server, request, length));
    return measured;
  };
  // What is compiled hot counts, and what is remembered.
  await measureEach(WARM_UP_SECONDS);
  const rounds: (readonly Measurement[])[] = [];
  for (let round = 0; round < seconds / ROUND_SECONDS; round += 1)
    rounds.push(await measureEach(ROUND_SECONDS));
  return contenders.map((_contender, index) =>
    summarize(rounds.map((measured) => defined(measured[index], 'a measurement'))),
  );
}
