/** Policies or middlewares under their names. */
export interface NamedCode {
  /** The code of that name, loaded if need be; undefined: there is none. `is-owner` means `global::is-owner`, or else the one API's that has such a name. */
  readonly get: (name: string) => Promise<unknown>;
  readonly names: () => readonly string[];
}

/** Where `register` puts policies or middlewares that are not in files of their own. */
export interface NamedCodeRegistry<Code> {
  /** A name without `::` is a global one. */
  readonly set: (name: string, code: Code) => void;
}

/** What resolversConfig may name. */
export interface ProjectCode {
  readonly policies: NamedCode;
  readonly middlewares: NamedCode;
}
