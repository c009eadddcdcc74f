import { isGalleyError } from '../../../errors/galley-error.js';

export interface Finding {
  /** Stable, for `--json`: `node`, `config`, `secrets`, `content-types`, `database`, `generated`, `uploads`, `images`. */
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'error';
  readonly message: string;
  /** What to do or run. */
  readonly remedy?: string;
}

export function ok(check: string, message: string): Finding {
  return { check, status: 'ok', message };
}

export function warning(check: string, message: string, remedy: string): Finding {
  return { check, status: 'warning', message, remedy };
}

export function broken(check: string, message: string, remedy?: string): Finding {
  return { check, status: 'error', message, ...(remedy === undefined ? {} : { remedy }) };
}

/** What a check finds; an error thrown on the way is a finding too. */
export async function examine(check: string, work: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await work();
  } catch (error) {
    if (isGalleyError(error)) return [broken(check, error.message, error.hint)];
    return [broken(check, error instanceof Error ? error.message : String(error))];
  }
}
