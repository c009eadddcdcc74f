import { fileURLToPath } from 'node:url';
import { createJiti } from 'jiti';

/** A file that does not exist: the name under which the expression is compiled. */
const FILE = fileURLToPath(new URL('expression.ts', import.meta.url));

/**
 * Compiles a TypeScript expression over `value`. Waits for nothing, so that it may be called while a database
 * is locked.
 *
 * @throws where it is no expression
 */
export function compileExpression(expression: string): (value: unknown) => unknown {
  const jiti = createJiti(FILE, { fsCache: false, moduleCache: false, tryNative: false });
  const loaded: unknown = jiti.evalModule(`export const convert = (value) => (\n${expression}\n);`, {
    filename: FILE,
    async: false,
    forceTranspile: true,
  });
  const { convert } = loaded as { readonly convert: (value: unknown) => unknown };
  return convert;
}
