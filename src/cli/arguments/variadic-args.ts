interface ArgSpec {
  readonly required?: boolean;
  readonly multiple?: boolean;
}

interface Positionals {
  readonly args: Record<string, unknown>;
  readonly argv: unknown[];
}

/**
 * Arguments in the form that oclif's parser accepts, and a function that restores the original form of its
 * output.
 */
export interface VariadicArgs<A> {
  readonly args: Record<string, A>;
  /** True where more words may follow than arguments are declared. */
  readonly isVariadic: boolean;
  readonly collectRest: <P extends Positionals>(output: P) => P;
}

/**
 * oclif refuses optional arguments before one that takes several values. Here the last argument is parsed as
 * a single word, and `collectRest` adds the words after it.
 */
export function prepareVariadicArgs<A extends ArgSpec>(args: Readonly<Record<string, A>>): VariadicArgs<A> {
  const names = Object.keys(args);
  const index = names.findIndex((name) => args[name]?.multiple === true);
  const last = names[index];
  if (
    last === undefined ||
    index !== names.length - 1 ||
    names.slice(0, index).every((name) => args[name]?.required === true)
  ) {
    return { args: { ...args }, isVariadic: false, collectRest: (output) => output };
  }
  const single = Object.fromEntries(
    Object.entries(args).map(([name, arg]) => [name, name === last ? { ...arg, multiple: false } : arg]),
  );
  const collectRest = <P extends Positionals>(output: P): P => {
    const rest = output.argv.slice(index);
    return { ...output, args: { ...output.args, [last]: rest.length === 0 ? undefined : rest } };
  };
  return { args: single, isVariadic: true, collectRest };
}
