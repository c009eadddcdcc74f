import type { DriverFault } from '../dialects/dialect.js';

/** The database refused a statement or did not answer; `cause` is what the driver said. Never sent to a client as it is. */
export class DatabaseFault extends Error {
  override readonly name = 'DatabaseFault';

  constructor(readonly fault: DriverFault, cause: unknown) {
    super(`The database reported: ${fault.kind}`, { cause });
  }
}

export function isDatabaseFault(error: unknown): error is DatabaseFault {
  return error instanceof DatabaseFault;
}
