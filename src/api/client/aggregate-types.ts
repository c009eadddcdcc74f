import type { FieldKey, PopulateKey, Query } from '../../generate/typegen/declarations/query.js';

type Names<Key> = Key | readonly Key[];

type TimeUnit = 'year' | 'month' | 'day' | 'hour';

/** The keys that records are grouped by: values, times by their units, or documents of to-one relations. */
type GroupBy<T> =
  | Names<FieldKey<T> | PopulateKey<T>>
  | { readonly [Key in FieldKey<T> | PopulateKey<T>]?: true | TimeUnit };

/** The parameters of `aggregate`. */
export interface AggregateQuery<T> extends Pick<
  Query<T>,
  'filters' | '_q' | 'status' | 'locale' | 'publicationFilter'
> {
  readonly count?: boolean;
  readonly sum?: Names<FieldKey<T>>;
  readonly avg?: Names<FieldKey<T>>;
  readonly min?: Names<FieldKey<T>>;
  readonly max?: Names<FieldKey<T>>;
  readonly groupBy?: GroupBy<T>;
  /** The order of groups: `count:desc`, `sum.price`, `kind`. */
  readonly sort?: string | readonly string[];
  /** Limits the groups. */
  readonly pagination?: { readonly start?: number; readonly limit?: number };
}

type NamesIn<Value> = Value extends string
  ? Value
  : Value extends readonly (infer Name)[]
    ? Name
    : keyof Value;

type ValueOf<T, Key> = Key extends keyof T ? Exclude<T[Key], null | undefined> | null : never;

/** Whole numbers of any size are text. */
type NumberOf<T, Key> = ValueOf<T, Key> extends number | null ? number | null : number | string | null;

type Sums<T, Q> = {
  readonly [Name in keyof Q & ('sum' | 'avg')]: {
    readonly [Key in NamesIn<Q[Name]> & string]: NumberOf<T, Key>;
  };
};

type Bounds<T, Q> = {
  readonly [Name in keyof Q & ('min' | 'max')]: {
    readonly [Key in NamesIn<Q[Name]> & string]: ValueOf<T, Key>;
  };
};

type HasValues<Q> = Extract<keyof Q, 'sum' | 'avg' | 'min' | 'max'> extends never ? false : true;

type Count<Q> = Q extends { readonly count: true }
  ? { readonly count: number }
  : HasValues<Q> extends true
    ? unknown
    : { readonly count: number };

type Figures<T, Q> = Count<Q> & Sums<T, Q> & Bounds<T, Q>;

type KeyOf<T, By, Key> =
  Key extends PopulateKey<T>
    ? string | null
    : By extends { readonly [Name in Key & string]: TimeUnit }
      ? string | null
      : ValueOf<T, Key>;

/** The result of an aggregate, derived from its parameters. */
export type Aggregate<T, Q> = Q extends { readonly groupBy: infer By }
  ? {
      readonly data: readonly (Figures<T, Q> & {
        readonly group: { readonly [Key in NamesIn<By> & string]: KeyOf<T, By, Key> };
      })[];
      readonly meta: {
        readonly pagination: { readonly start: number; readonly limit: number; readonly hasMore: boolean };
      };
    }
  : { readonly data: Figures<T, Q>; readonly meta: object };
