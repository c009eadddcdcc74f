import { GraphQLError } from 'graphql';
import type { GraphQLFormattedError } from 'graphql';
import { createError } from '../../../errors/catalogue.js';
import { isGalleyError } from '../../../errors/galley-error.js';
import type { OperationResponse } from '../http/operation-response.js';
import { printGalleyError } from '../http/print-errors.js';

/** Ends one operation of a connection with an `error` message. The connection stays open. */
export class OperationError extends Error {
  /** As the client receives them. */
  readonly errors: readonly GraphQLFormattedError[];

  constructor(errors: readonly GraphQLFormattedError[]) {
    super('The operation failed.');
    this.errors = errors;
  }
}

/** The error of an operation that was refused, or that is not a subscription to documents. */
export function createOperationError({ body }: OperationResponse): OperationError {
  const reason = 'Only changes of documents can be subscribed to.';
  return new OperationError(
    body.errors ?? [printGalleyError(createError('graphql/invalid-request', { reason }))],
  );
}

/**
 * Returns errors that concern one operation as an `OperationError`. All others are returned as they are: an
 * authorization that is no longer valid, and internal errors, end the whole connection.
 */
export function toOperationError(error: unknown): unknown {
  if (!isGalleyError(error) || error.kind === 'internal' || error.kind === 'unauthorized') return error;
  return new OperationError([printGalleyError(error)]);
}

/** Wraps an error in the form in which graphql-ws hands it to its `onError` hook. */
export function wrapOperationError(error: OperationError): readonly GraphQLError[] {
  return [new GraphQLError(error.message, { originalError: error })];
}

/** The reverse of {@link wrapOperationError}, also for errors that graphql-ws has wrapped by itself. */
export function unwrapOperationErrors(errors: readonly GraphQLError[]): readonly GraphQLFormattedError[] {
  return errors.flatMap((error) =>
    error.originalError instanceof OperationError ? error.originalError.errors : [error.toJSON()],
  );
}
