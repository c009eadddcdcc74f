/** Limits of one request, from the configuration of the project. */
export interface QueryLimits {
  readonly defaultLimit: number;
  readonly maxLimit: number;
  /** The maximum nesting of populate. */
  readonly populateDepth: number;
  /** The maximum number of populate, filter and sort entries in one request. */
  readonly maxNodes: number;
  /** The maximum number of records of one answer, populated ones included. Absent: none. */
  readonly maxRecords?: number;
}

/** The parameters of a read as a transport receives them. Values of a query string are strings. */
export interface RawReadParams {
  /** Text to search for in the records themselves. */
  readonly _q?: unknown;
  readonly filters?: unknown;
  readonly sort?: unknown;
  readonly fields?: unknown;
  readonly populate?: unknown;
  readonly pagination?: unknown;
  readonly status?: unknown;
  readonly locale?: unknown;
  readonly hasPublishedVersion?: unknown;
  readonly publicationFilter?: unknown;
}

/** The parameters of reads. All others ask for nothing. */
export const READ_PARAMETERS = [
  '_q',
  'filters',
  'sort',
  'fields',
  'populate',
  'pagination',
  'status',
  'locale',
  'hasPublishedVersion',
  'publicationFilter',
] as const satisfies readonly (keyof RawReadParams)[];
