import { describeSystemError, toGalleyError } from '../terminal/report-error.js';

export interface Finding {
  /**
   * The name of the check, part of the JSON contract: `node`, `config`, `secrets`, `content-types`,
   * `database`, `drafts`, `replicas`, `values`, `reads`, `strapi`, `generated`, `uploads`, `images`,
   * `production`.
   */
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'error';
  readonly message: string;
  /** The action or the command that resolves the finding. */
  readonly remedy?: string;
}

export function ok(check: string, message: string): Finding {
  return { check, status: 'ok', message };
}

export function warning(check: string, message: string, remedy: string): Finding {
  return { check, status: 'warning', message, remedy };
}

export function failed(check: string, message: string, remedy?: string): Finding {
  return { check, status: 'error', message, ...(remedy === undefined ? {} : { remedy }) };
}

/** Runs a check and returns its findings. A thrown error becomes a finding. */
export async function runCheck(
  check: string,
  root: string,
  work: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await work();
  } catch (error) {
    const { code, message, hint } = toGalleyError(await describeSystemError(error, root));
    return [failed(check, message, code === 'cli/unexpected' ? undefined : hint)];
  }
}
