import type { Uid } from '../../../model/model.js';
import type { ContentChange } from '../content-plan.js';

const MAX_SAMPLES = 3;
const MAX_SAMPLE_LENGTH = 120;

/** Values of one attribute that share their fate. */
interface TalliedValues {
  readonly kind: ContentChange['kind'];
  readonly reason: string;
  readonly remedy: string | null;
  /** One of the values. Undefined: not to be shown. */
  readonly sample?: unknown;
  /** 1 where it is not stated. */
  readonly count?: number;
}

/** Counts what becomes of the values of one attribute, by kind and reason. */
export interface ScalarTally {
  readonly add: (values: TalliedValues) => void;
  readonly changes: () => readonly ContentChange[];
}

const printSample = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length <= MAX_SAMPLE_LENGTH ? text : `${text.slice(0, MAX_SAMPLE_LENGTH)}…`;
};

export function createTally(type: Uid, path: string): ScalarTally {
  const entries = new Map<string, { readonly change: ContentChange; readonly samples: Set<string> }>();
  return {
    add: ({ kind, reason, remedy, sample, count = 1 }) => {
      if (count === 0) return;
      const key = JSON.stringify([kind, reason]);
      const entry = entries.get(key);
      const samples = entry?.samples ?? new Set();
      if (sample !== undefined && samples.size < MAX_SAMPLES) samples.add(printSample(sample));
      const first: ContentChange = { kind, type, path, values: 0, samples: [], reason, remedy };
      const change = entry?.change ?? first;
      entries.set(key, { change: { ...change, values: change.values + count }, samples });
    },
    changes: () => [...entries.values()].map(({ change, samples }) => ({ ...change, samples: [...samples] })),
  };
}
