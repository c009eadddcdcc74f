import type { Uid } from '../../model/model.js';

/** The outcome of one check of `cms doctor`. */
export interface Finding {
  /**
   * The name of the check, part of the JSON contract: `node`, `config`, `secrets`, `content-types`,
   * `database`, `drafts`, `replicas`, `values`, `reads`, `strapi`, `generated`, `uploads`, `images`,
   * `production`.
   */
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'error';
  readonly message: string;
  /** The action or the command that resolves the finding. */
  readonly remedy?: string;
}

export interface Examination {
  readonly findings: readonly Finding[];
  /** The checks to do by hand. */
  readonly checklist: readonly string[];
}

/** A possible index, with which reads of a shape would scan fewer rows. */
export interface IndexRemedy {
  readonly type: Uid;
  readonly attribute: string;
  /** Set for a full-text index. Absent for an index of the values. */
  readonly option?: 'search';
}

/** An index that speeds up reads of a shape, with times measured on a database. */
export interface IndexSuggestion extends IndexRemedy {
  /** Milliseconds. */
  readonly before: number;
  readonly after: number;
}

/** The reads of one shape, and the best index for them. */
export interface ReadAdvice {
  /** `api::article.article filters[title][$eq] sort=views:desc` */
  readonly read: string;
  readonly calls: number;
  /** Milliseconds. */
  readonly ms: number;
  readonly maxMs: number;
  readonly suggestion: IndexSuggestion | null;
  /** The full-text indexes that would find its rows, without measurements. */
  readonly search: readonly IndexRemedy[];
}

/** The functions that examine a project where its files and its database are. */
export interface ServerChecks {
  readonly examine: (isProduction: boolean) => Promise<Examination>;
  readonly suggestIndexes: () => Promise<readonly ReadAdvice[]>;
}
