import type { Conditions, PopulateKey, Query } from './declarations/query.js';

/**
 * The parameters of a read as they were given, with `never` at names that the document lacks. TypeScript
 * finds such names in literals, except where a literal's type is inferred.
 */
export type CheckedQuery<Document, Given, Names> = string extends keyof Document
  ? unknown
  : Query<Document> extends Given
    ? unknown
    : {
        readonly [Key in keyof Given]: Key extends 'filters'
          ? CheckedFilters<Document, Given[Key]>
          : Key extends 'populate'
            ? CheckedPopulate<Document, Given[Key]>
            : Key extends Names
              ? Given[Key]
              : never;
      };

/** The data of a write as they were given, with `never` at names that the type lacks. */
export type CheckedData<Given, Input> = string extends keyof Input
  ? unknown
  : { readonly [Key in keyof Given]: Key extends keyof Input ? Given[Key] : never };

type EntryOption = keyof Query<object> | 'start' | 'limit' | 'count' | 'on';

type Target<Value> =
  Exclude<Value, null | undefined> extends infer V ? (V extends readonly (infer Item)[] ? Item : V) : never;

type CheckedFilters<Document, Given> = Given extends readonly unknown[]
  ? { readonly [Index in keyof Given]: CheckedFilters<Document, Given[Index]> }
  : Given extends object
    ? {
        readonly [Key in keyof Given]: Key extends '$and' | '$or' | '$not'
          ? CheckedFilters<Document, Given[Key]>
          : Key extends '$null' | '$notNull'
            ? Given[Key]
            : Key extends keyof Document
              ? undefined extends Document[Key]
                ? CheckedFilters<Target<Document[Key]>, Given[Key]>
                : CheckedComparison<Exclude<Document[Key], null>, Given[Key]>
              : never;
      }
    : Given;

/** A checked comparison. Filters of JSON attributes accept any object, which may be a value. */
type CheckedComparison<Value, Given> = [Value] extends [string | number | boolean]
  ? Given extends readonly unknown[]
    ? Given
    : Given extends object
      ? { readonly [Key in keyof Given]: Key extends keyof Conditions<Value> ? Given[Key] : never }
      : Given
  : Given;

type CheckedPopulate<Document, Given> = Given extends string | readonly unknown[]
  ? Given
  : Given extends object
    ? {
        readonly [Key in keyof Given]: Key extends PopulateKey<Document>
          ? Given[Key] extends object
            ? CheckedQuery<Target<Document[Key]>, Given[Key], EntryOption>
            : Given[Key]
          : never;
      }
    : Given;
