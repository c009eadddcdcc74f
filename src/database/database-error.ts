import { createError } from '../errors/catalogue.js';
import type { ErrorCode } from '../errors/catalogue.js';
import type { GalleyError } from '../errors/galley-error.js';
import { errorCode } from '../lib/caught-errors.js';
import type { DiskFault, DriverErrorInfo } from './dialect/driver-error.js';

/**
 * The database rejected a statement or is not reachable. `cause` is the error of the driver. Never sent to a
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

const FILE_FAULTS: Readonly<Record<string, DiskFault>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'read-only',
  EACCES: 'read-only',
  EPERM: 'read-only',
  EIO: 'failing',
};

/** The process has no file handles left until others are closed. */
const OUT_OF_HANDLES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE']);

const DISK_ERRORS: Readonly<Record<DiskFault, ErrorCode>> = {
  full: 'server/disk-full',
  'read-only': 'server/read-only',
  failing: 'server/disk-failing',
};

const driverErrorCode = (info: DriverErrorInfo): ErrorCode | null => {
  if (info.kind === 'disk') return DISK_ERRORS[info.fault];
  if (info.kind === 'unreachable') return 'server/no-database';
  return info.kind === 'retry' ? 'server/unavailable' : null;
};

/** Errors of the file system name the system call that failed. */
const fileErrorCode = (error: Error): ErrorCode | null => {
  if (!('syscall' in error)) return null;
  const code = errorCode(error);
  const fault = FILE_FAULTS[code];
  if (fault !== undefined) return DISK_ERRORS[fault];
  return OUT_OF_HANDLES.has(code) ? 'server/unavailable' : null;
};

/**
 * Returns the error for clients if the database or a disk cannot be used at present: the request is valid,
 * and may succeed later. Null for any other error.
 */
export function toUnavailableError(error: unknown): GalleyError | null {
  if (!(error instanceof Error)) return null;
  const code = isDatabaseError(error) ? driverErrorCode(error.driverError) : fileErrorCode(error);
  if (code !== null) return createError(code, {}, { cause: error });
  return error.cause === undefined ? null : toUnavailableError(error.cause);
}
