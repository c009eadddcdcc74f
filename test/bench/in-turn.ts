import { defined } from '../../src/lib/assert.js';
import { measureRequests, median } from './load.js';
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

/** What was measured of a contender, as in the round in the middle. */
export interface MeasuredInTurn extends Measurement {
  /** Of all rounds, in their order. */
  readonly allCpuMicros: readonly number[];
}

const summarize = (rounds: readonly Measurement[]): MeasuredInTurn => {
  const allCpuMicros = rounds.map(({ cpuMicros }) => cpuMicros);
  const byRate = rounds.toSorted((a, b) => a.perSecond - b.perSecond);
  const middle = defined(byRate[Math.floor(rounds.length / 2)], 'a round');
  return { ...middle, cpuMicros: median(allCpuMicros), allCpuMicros };
};

/**
 * Returns how much CPU a request takes of another server, as a share of what it takes of ours: the median of
 * the rounds, each compared with its own, since a machine is not as fast in one minute as in the next.
 */
export function cpuRatio(ours: MeasuredInTurn, other: MeasuredInTurn): number {
  return median(
    other.allCpuMicros.map((micros, round) => micros / defined(ours.allCpuMicros[round], 'the same round')),
  );
}

/**
 * Drives all contenders in turn, each for so many seconds in all, and returns what was measured of each.
 * Those that are compared with each other should be next to each other.
 */
export async function measureInTurn(
  contenders: readonly Contender[],
  seconds: number,
): Promise<readonly MeasuredInTurn[]> {
  const measureEach = async (length: number): Promise<readonly Measurement[]> => {
    const measured: Measurement[] = [];
    for (const { server, request } of contenders)
      measured.push(await measureRequests(server, request, length));
    return measured;
  };
  // What is compiled hot counts, and what is cached.
  await measureEach(WARM_UP_SECONDS);
  const rounds: (readonly Measurement[])[] = [];
  for (let round = 0; round < seconds / ROUND_SECONDS; round += 1)
    rounds.push(await measureEach(ROUND_SECONDS));
  return contenders.map((_contender, index) =>
    summarize(rounds.map((measured) => defined(measured[index], 'a measurement'))),
  );
}
