import { getOrCreate } from '../../lib/collections.js';

/** Something that is not imported, or not as it was. */
export interface Finding {
  /** `api::article.article subtitle`, `admin::user` */
  readonly what: string;
  readonly reason: string;
  readonly count: number;
  /** True if content is lost that the project could hold, so that the import has to be allowed. */
  readonly isLoss: boolean;
}

interface FindingKey {
  readonly what: string;
  readonly reason: string;
  readonly isLoss?: boolean;
}

/** Counts what is left out and why. */
export class Tally {
  readonly #findings = new Map<string, { readonly key: FindingKey; count: number }>();

  add(key: FindingKey, count = 1): void {
    getOrCreate(this.#findings, `${key.what}\n${key.reason}`, () => ({ key, count: 0 })).count += count;
  }

  all(): readonly Finding[] {
    return [...this.#findings.values()].map(({ key, count }) => ({
      what: key.what,
      reason: key.reason,
      count,
      isLoss: key.isLoss === true,
    }));
  }
}
