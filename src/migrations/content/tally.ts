import type { Uid } from '../../model/model.js';
import type { ContentChange } from './content-plan.js';

const MAX_SAMPLES = 3;
const MAX_SAMPLE_LENGTH = 120;

/** One or several values of an attribute that share their fate. */
interface TalliedValue {
  readonly kind: ContentChange['kind'];
  readonly path: string;
  readonly reason: string;
  readonly remedy: string | null;
  /** Undefined: not to be shown. */
  readonly sample?: unknown;
  /** 1 where it is not stated. */
  readonly count?: number;
}

const printSample = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length <= MAX_SAMPLE_LENGTH ? text : `${text.slice(0, MAX_SAMPLE_LENGTH)}…`;
};

/** Counts what becomes of the values of one attribute. */
export interface AttributeTally {
  readonly add: (value: Omit<TalliedValue, 'path'>) => void;
}

/** Counts what becomes of the values of a content-type, by attribute and reason. */
export class Tally {
  readonly #changes = new Map<string, { change: ContentChange; samples: Set<string> }>();

  constructor(private readonly type: Uid) {}

  add({ kind, path, reason, remedy, sample, count = 1 }: TalliedValue): void {
    if (count === 0) return;
    const key = JSON.stringify([kind, path, reason]);
    const entry = this.#changes.get(key);
    const samples = entry?.samples ?? new Set<string>();
    if (sample !== undefined && samples.size < MAX_SAMPLES) samples.add(printSample(sample));
    // The remedy is that of the first value, which is the first sample, too.
    const first = { kind, type: this.type, path, values: 0, samples: [], reason, remedy };
    const change = entry?.change ?? first;
    this.#changes.set(key, { change: { ...change, values: change.values + count }, samples });
  }

  /** The tally of the attribute at a path. */
  at(path: string): AttributeTally {
    return { add: (value) => this.add({ ...value, path }) };
  }

  changes(): readonly ContentChange[] {
    return [...this.#changes.values()].map(({ change, samples }) => ({ ...change, samples: [...samples] }));
  }
}
