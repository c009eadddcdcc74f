import { getOrCreate } from '../../lib/collections.js';

/** Content that the import omits or changes. */
export interface Finding {
  /** `api::article.article subtitle`, `admin::user` */
  readonly what: string;
  readonly reason: string;
  readonly count: number;
  /** True if content is lost that the project could hold. Such an import must be confirmed. */
  readonly isLoss: boolean;
}

interface FindingKey {
  readonly what: string;
  readonly reason: string;
  readonly isLoss?: boolean;
}

/** Counts the content that an import omits or changes, by place and reason. */
export class ImportFindings {
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
