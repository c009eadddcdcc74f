import type { DriverErrorInfo } from './dialect/driver-error.js';

/**
 * The database refused a statement or is not reachable. `cause` is the error of the driver. Never sent to a
 * client as it is.
 */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';

  constructor(
    readonly driverError: DriverErrorInfo,
    cause: unknown,
  ) {
    super(`The database reported: ${driverError.kind}`, { cause });
  }
}

export function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError;
}
