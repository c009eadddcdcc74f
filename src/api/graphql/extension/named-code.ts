/** Policies or middlewares by name. */
export interface NamedCode {
  /**
   * Loads the code of a name; undefined: there is none. `is-owner` means `global::is-owner`, otherwise the
   * only policy of an API with that name.
   */
  readonly get: (name: string) => Promise<unknown>;
  readonly names: () => readonly string[];
}

/** Registers policies or middlewares that are not in files of their own. */
export interface NamedCodeRegistry<Code> {
  /** A name without `::` is in the namespace `global`. */
  readonly set: (name: string, code: Code) => void;
}

/** The code that `resolversConfig` can refer to. */
export interface ProjectCode {
  readonly policies: NamedCode;
  readonly middlewares: NamedCode;
}
