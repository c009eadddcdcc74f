import type { Finding } from '../../api/administration/operation.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { messageOf } from '../../lib/caught-errors.js';
import { describeSystemError } from '../system-errors.js';

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
    const described = await describeSystemError(error, root);
    if (isGalleyError(described)) return [failed(check, described.message, described.hint)];
    return [failed(check, messageOf(described))];
  }
}
