import type { FieldKey, PopulateKey } from './query.js';

type Status = 'draft' | 'published';

/** The keys whose values drafts have, too. */
type SystemKey = 'id' | 'documentId' | 'createdAt' | 'updatedAt' | 'locale' | '__component' | '__type';

/** A draft, whose attributes may all be null, also the required ones. */
export type Draft<T> = {
  [Key in keyof T]: Key extends SystemKey | PopulateKey<T> ? T[Key] : T[Key] | null;
};

/** Types without drafts are always complete. */
type StatusIn<T, S extends Status> = T extends { publishedAt: string } ? 'published' : S;

type StatusOf<Q, Default extends Status> = 'status' extends keyof Q
  ? [Q['status']] extends ['published']
    ? 'published'
    : 'draft'
  : Default;

type NoOptions = Readonly<Record<never, never>>;
type OptionsOf<Value> = Value extends object ? Value : NoOptions;

/** `'a,b'` → `'a' | 'b'` */
type Names<Text> = Text extends `${infer First},${infer Rest}` ? First | Names<Rest> : Text;
type NamesIn<Value> = Value extends readonly (infer Text)[] ? Names<Text> : Names<Value>;

/** `'author.avatar'` → `'author'` */
type HeadOf<Path> = Path extends `${infer Head}.${string}` ? Head : Path;
/** `'author.avatar'`, `'author'` → `'avatar'` */
type TailOf<Path, Key extends string> = Path extends `${Key}.${infer Rest}` ? Rest : never;

type SelectedKeys<T, Q> = Q extends { readonly fields: infer Value }
  ? '*' extends NamesIn<Value>
    ? FieldKey<T>
    : FieldKey<T> & (NamesIn<Value> | 'id' | 'documentId' | '__component' | '__type')
  : FieldKey<T>;

type PopulatedKeys<T, Value> = Value extends string | readonly unknown[]
  ? '*' extends NamesIn<Value>
    ? PopulateKey<T>
    : HeadOf<NamesIn<Value>> & PopulateKey<T>
  : { [Key in keyof Value]: Value[Key] extends false ? never : Key }[keyof Value] & PopulateKey<T>;

/** The options that `populate` has for one attribute. */
type OptionsFor<Value, Key> = Value extends string | readonly unknown[]
  ? [TailOf<NamesIn<Value>, Key & string>] extends [never]
    ? NoOptions
    : { readonly populate: readonly TailOf<NamesIn<Value>, Key & string>[] }
  : Key extends keyof Value
    ? OptionsOf<Value[Key]>
    : NoOptions;

type PopulateOf<Q> = Q extends { readonly populate: infer Value } ? Value : NoOptions;

/** A query that may or may not populate, such as a variable of type `Query`. */
type IsOpen<Q> = 'populate' extends keyof Q ? (undefined extends Q['populate'] ? true : false) : false;

type Read<T, Q, S extends Status> = T extends unknown
  ? IsOpen<Q> extends true
    ? StatusIn<T, S> extends 'draft'
      ? Draft<T>
      : T
    : {
        [Key in SelectedKeys<T, Q> | PopulatedKeys<T, PopulateOf<Q>>]: undefined extends T[Key]
          ? ReadNested<Exclude<T[Key], undefined>, OptionsFor<PopulateOf<Q>, Key>, T, S>
          : ReadField<T[Key], Key, StatusIn<T, S>>;
      }
  : never;

type ReadField<Value, Key, S extends Status> = Key extends SystemKey
  ? Value
  : S extends 'draft'
    ? Value | null
    : Value;

/** Documents have a status; components have that of their owner. */
type ReadNested<Value, Options, Owner, S extends Status> = Options extends { readonly count: true }
  ? { count: number }
  : Value extends readonly (infer Entry)[]
    ? ReadEntry<Entry, Options, Owner, S>[]
    : Value extends object
      ? ReadEntry<Value, Options, Owner, S>
      : Value;

type ReadEntry<Entry, Options, Owner, S extends Status> = Entry extends { documentId: string }
  ? ReadVariant<Entry, Options, S>
  : ReadVariant<Entry, Options, StatusIn<Owner, S>>;

type ReadVariant<Entry, Options, S extends Status> = Options extends { readonly on: infer On }
  ? Entry extends { __component: infer Name } | { __type: infer Name }
    ? Name extends keyof On
      ? On[Name] extends false
        ? never
        : Read<Entry, OptionsOf<On[Name]>, S>
      : never
    : never
  : Read<Entry, Options, S>;

/**
 * The result of a read, derived from its `fields`, `populate` and `status` at every depth. `Default` is the
 * status if the query has none.
 *
 * @example
 *   declare function find<const Q extends Query<Article>>(
 *     query: Q,
 *   ): Promise<ListResponse<Result<Article, Q>>>;
 *   const { data } = await find({ fields: ['title'], populate: 'author.avatar' });
 *   data[0]?.author?.avatar?.url;
 */
export type Result<T, Q = NoOptions, Default extends Status = 'published'> = string extends keyof T
  ? T
  : Read<T, Q, StatusOf<Q, Default>>;

// Keeps what is not exported above private to this file.
export {};
