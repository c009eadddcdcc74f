import { Readable } from 'node:stream';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { createError } from '../../errors/catalogue.js';
import { printError } from '../../errors/error-envelope.js';
import { toPublicError } from '../../errors/project-errors.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { parseFlag } from './bulk-handler.js';
import { decorateCaller } from '../http/request-lifecycle.js';
import { decoratePassedOn } from './guard.js';
import { registerRoutes } from './register-routes.js';
import { queryOf } from './handler.js';
import type { Handler, RestDependencies } from './handler.js';
import { servedRoutes, transferRoutes } from './routes/rest-routes.js';

/** Selection of the content of an archive. Null: all. */
export interface ArchiveSelection {
  readonly parts: readonly string[] | null;
  readonly types: readonly string[] | null;
  /** The content-types that are not included. Null: none. */
  readonly excludedTypes: readonly string[] | null;
}

/** Options for importing an archive. */
export interface ArchiveImport extends ArchiveSelection {
  readonly existing: string;
  readonly isDryRun: boolean;
  /** True if the progress of an interrupted import is discarded. */
  readonly restarts: boolean;
  readonly onProgress: (detail: string) => void;
  /** Receives errors that do not prevent the import. */
  readonly onError: (error: unknown) => void;
}

/** Dependencies for exporting and importing archives of the content. */
export interface TransferDependencies {
  readonly isEnabled: boolean;
  readonly exportArchive: (selection: ArchiveSelection) => Promise<Readable>;
  /** Returns the plan of the import. */
  readonly importArchive: (stream: Readable, request: ArchiveImport) => Promise<object>;
}

/** The media type of archives. They are read while they arrive, so no body limit applies. */
const ARCHIVE_TYPE = 'application/gzip';

const LINES_TYPE = 'application/x-ndjson; charset=utf-8';

const splitList = (raw: unknown): readonly string[] | null =>
  typeof raw === 'string' && raw !== '' ? raw.split(',') : null;

const selectionOf = (request: FastifyRequest): ArchiveSelection => {
  const { parts, types, excludedTypes } = queryOf(request);
  return { parts: splitList(parts), types: splitList(types), excludedTypes: splitList(excludedTypes) };
};

/** Yields lines of progress while the work runs, then a last line with the result or the error. */
async function* streamProgress(
  work: (onProgress: (detail: string) => void) => Promise<object>,
  log: (error: unknown) => void,
): AsyncGenerator<string> {
  let latest: string | null = null;
  let wake = (): void => undefined;
  const end = work((detail) => {
    latest = detail;
    wake();
  }).then(
    (data) => JSON.stringify({ data }),
    (error: unknown) => {
      log(error);
      return printError(
        isGalleyError(error) ? error : (toPublicError(error) ?? createError('server/internal')),
      );
    },
  );
  const isDone = end.then(() => true);
  for (;;) {
    const isNotified = new Promise<false>((resolve) => {
      wake = () => resolve(false);
    });
    if (latest === null && (await Promise.race([isDone, isNotified]))) break;
    if (latest !== null) yield `${JSON.stringify({ progress: latest })}\n`;
    latest = null;
  }
  yield `${await end}\n`;
}

const exportArchive =
  ({ exportArchive: open }: TransferDependencies): Handler =>
  async (request, reply) => {
    const archive = await open(selectionOf(request));
    return reply.header('content-type', ARCHIVE_TYPE).send(archive);
  };

const importArchive =
  ({ importArchive: run }: TransferDependencies): Handler =>
  async (request, reply) => {
    const { body } = request;
    if (!(body instanceof Readable)) throw createError('request/invalid-body');
    const query = queryOf(request);
    const options = {
      ...selectionOf(request),
      existing: typeof query['existing'] === 'string' ? query['existing'] : 'refuse',
      isDryRun: parseFlag('dryRun', query['dryRun'], false),
      restarts: parseFlag('restart', query['restart'], false),
      onError: (error: unknown) => request.log.warn({ err: error }, 'An import reported an error'),
    };
    const lines = streamProgress(
      (onProgress) => run(body, { ...options, onProgress }),
      (error) => request.log.warn({ err: error }, 'An import has failed'),
    );
    return reply.header('content-type', LINES_TYPE).send(Readable.from(lines));
  };

/** Creates the plugin with the archive endpoints, which reject all requests unless transfers are enabled. */
export function createTransferPlugin(
  { access, model, prefix }: Pick<RestDependencies, 'access' | 'model' | 'prefix'>,
  transfers: TransferDependencies,
): FastifyPluginAsync {
  const ifEnabled =
    (handler: Handler): Handler =>
    (request, reply) => {
      if (!transfers.isEnabled) throw createError('transfer/not-enabled');
      return handler(request, reply);
    };
  const handlers = {
    exportArchive: ifEnabled(exportArchive(transfers)),
    importArchive: ifEnabled(importArchive(transfers)),
  };
  return async (fastify) => {
    decorateCaller(fastify);
    decoratePassedOn(fastify);
    fastify.addContentTypeParser(ARCHIVE_TYPE, (_request, payload, done) => done(null, payload));
    registerRoutes(
      fastify,
      { access },
      servedRoutes(model, prefix, transferRoutes(prefix)).map((route) => ({
        route,
        handler: handlers[route.operation],
      })),
    );
  };
}
