import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { send } from '@fastify/send';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { listsMiddleware, middlewareConfig } from '../../config/strapi/middleware-config.js';

/** Files that are sent where no route answers. */
interface PublicFiles {
  /** Returns the folder of a file and its path there. Null: nothing is sent for the address. */
  readonly find: (path: string) => { readonly root: string; readonly path: string } | null;
  /** Milliseconds. */
  readonly maxAge: number;
}

const MINUTE = 60_000;
const DAY = 86_400_000;

/** A route of its own sends files of the media library. */
const UPLOADS = /^\/uploads(?:\/|$)/;

const numberOr = (value: unknown, fallback: number): number => (typeof value === 'number' ? value : fallback);

/** `strapi::public`: the files of public/. */
const publicFolder = (root: string, middlewares: readonly unknown[]): PublicFiles => ({
  find: (path) => (UPLOADS.test(path) ? null : { root: join(root, 'public'), path }),
  maxAge: numberOr(middlewareConfig(middlewares, 'strapi::public')['maxAge'], MINUTE),
});

/** `strapi::favicon`: an icon in the folder of the project, which `path` may name. */
const favicon = (root: string, middlewares: readonly unknown[]): PublicFiles => {
  const { path: stated, maxAge } = middlewareConfig(middlewares, 'strapi::favicon');
  const names = [...(typeof stated === 'string' ? [stated] : []), 'favicon.png', 'favicon.ico'];
  const name = names.find((each) => existsSync(resolve(root, each)));
  return {
    find: (path) =>
      path === '/favicon.ico' && name !== undefined ? { root, path: `/${name.replace(/^\.?\//, '')}` } : null,
    maxAge: numberOr(maxAge, DAY),
  };
};

const pathOf = ({ url }: FastifyRequest): string => url.replace(/[?#].*$/s, '');

/** Sends the first file that is found. Hidden files and paths outside of the folder are not found. */
const sendFirst = async (
  request: FastifyRequest,
  reply: FastifyReply,
  files: readonly PublicFiles[],
): Promise<boolean> => {
  for (const { find, maxAge } of files) {
    const file = find(pathOf(request));
    if (file === null) continue;
    const result = await send(request.raw, file.path, {
      root: file.root,
      maxAge,
      index: false,
      dotfiles: 'ignore',
    });
    const isSent = result.type === 'file' || result.statusCode === 304 || result.statusCode === 416;
    if (!isSent) {
      result.stream.destroy();
      continue;
    }
    void reply.code(result.statusCode).headers(result.headers).send(result.stream);
    return true;
  }
  return false;
};

const sendOrGoOn = async (
  request: FastifyRequest,
  reply: FastifyReply,
  files: readonly PublicFiles[],
  goOn: (error?: Error) => void,
): Promise<void> => {
  let isSent: boolean;
  try {
    isSent = await sendFirst(request, reply, files);
  } catch (error) {
    goOn(error as Error);
    return;
  }
  if (!isSent) goOn();
};

/** Sends the files of public/ and the icon where config/middlewares lists their middlewares, as in Strapi. */
export function servePublicFiles(
  fastify: FastifyInstance,
  root: string,
  middlewares: readonly unknown[],
): void {
  const files = [
    ...(listsMiddleware(middlewares, 'strapi::favicon') ? [favicon(root, middlewares)] : []),
    ...(listsMiddleware(middlewares, 'strapi::public') ? [publicFolder(root, middlewares)] : []),
  ];
  if (files.length === 0) return;
  const serve: onRequestHookHandler = (request, reply, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!request.is404 || !isRead) done();
    else void sendOrGoOn(request, reply, files, done);
  };
  fastify.addHook('onRequest', serve);
}
