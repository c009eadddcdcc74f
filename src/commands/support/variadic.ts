interface ArgGrammar {
  readonly required?: boolean;
  readonly multiple?: boolean;
}

interface Positionals {
  readonly args: Record<string, unknown>;
  readonly argv: unknown[];
}

/** Arguments as oclif's parser takes them, and the way back from what it answers. */
export interface ParsableArgs<A> {
  readonly args: Record<string, A>;
  /** Whether more arguments may come than are declared. */
  readonly takesMore: boolean;
  readonly gather: <P extends Positionals>(output: P) => P;
}

/**
 * The parser refuses optional arguments before one that takes several, though filling them from the left leaves no doubt. Such a command
 * has its last argument parsed as one word, and the words after it are put with it afterwards.
 */
export function parsableArgs<A extends ArgGrammar>(args: Readonly<Record<string, A>>): ParsableArgs<A> {
  const names = Object.keys(args);
  const index = names.findIndex((name) => args[name]?.multiple === true);
  const last = names[index];
  if (last === undefined || index !== names.length - 1 || names.slice(0, index).every((name) => args[name]?.required === true)) {
    return { args: { ...args }, takesMore: false, gather: (output) => output };
  }
  const single = Object.fromEntries(Object.entries(args).map(([name, arg]) => [name, name === last ? { ...arg, multiple: false } : arg]));
  const gather = <P extends Positionals>(output: P): P => {
    const rest = output.argv.slice(index);
    return { ...output, args: { ...output.args, [last]: rest.length === 0 ? undefined : rest } };
  };
  return { args: single, takesMore: true, gather };
}
