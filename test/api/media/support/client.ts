import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { isRecord } from '../../../../src/lib/records.js';
import type { Site } from '../../support/site.js';

export interface FileRecord {
  readonly id: number;
  readonly documentId: string;
  readonly name: string;
  readonly hash: string;
  readonly ext: string;
  readonly mime: string;
  readonly url: string;
  readonly size: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly alternativeText: string | null;
  readonly caption: string | null;
  readonly focalPoint: unknown;
  readonly formats: Readonly<
    Record<
      string,
      { readonly url: string; readonly width: number; readonly height: number; readonly sizeInBytes: number }
    >
  > | null;
}

export interface TestResponse {
  readonly status: number;
  readonly body: unknown;
}

export interface SentFile {
  readonly name: string;
  readonly content: Buffer | string;
  readonly type?: string;
  readonly field?: string;
}

export const bytes = (content: Buffer | string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(content));

const createForm = (files: readonly SentFile[], fields: Readonly<Record<string, unknown>> = {}): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  for (const { name, content, type, field = 'files' } of files)
    form.append(field, new Blob([bytes(content)], type === undefined ? {} : { type }), name);
  return form;
};

const bearer = (site: Site, token = 'full'): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${site.tokens[token]}`,
});

export const call = async (
  site: Site,
  method: string,
  path: string,
  body?: FormData | object,
  token = 'full',
): Promise<TestResponse> => {
  const isForm = body instanceof FormData;
  const headers = {
    ...bearer(site, token),
    ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
  };
  const response = await fetch(site.server.url + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
};

export const send = (
  site: Site,
  files: readonly SentFile[],
  fields?: Readonly<Record<string, unknown>>,
  query = '',
): Promise<TestResponse> => call(site, 'POST', `/api/upload${query}`, createForm(files, fields));

/** Uploads files and expects success. */
export const upload = async (
  site: Site,
  files: readonly SentFile[],
  fields?: Readonly<Record<string, unknown>>,
): Promise<readonly FileRecord[]> => {
  const { status, body } = await send(site, files, fields);
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body as readonly FileRecord[];
};

export const uploadOne = async (
  site: Site,
  file: SentFile,
  fields?: Readonly<Record<string, unknown>>,
): Promise<FileRecord> => {
  const [record] = await upload(site, [file], fields);
  if (record === undefined) throw new Error('nothing was answered');
  return record;
};

/** Returns the paths of all files in the uploads folder, including staged ones. */
export const storedFiles = async (site: Site): Promise<readonly string[]> => {
  const entries = await readdir(site.project.config.upload.directory, {
    recursive: true,
    withFileTypes: true,
  }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() || entry.parentPath.endsWith('.incoming'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
};

/** Returns everything uploads leave behind: files, rows, and outbox entries. */
export const readUploadState = async (
  site: Site,
): Promise<{ readonly files: readonly string[]; readonly rows: number; readonly outboxEntries: number }> => {
  const file = site.project.model.typesByUid['plugin::upload.file'];
  if (file === undefined) throw new Error('no files in the model');
  const { database } = site.server.app;
  const counted = await database.transact(async (tx) => ({
    rows:
      (await tx.model(file.storage.version.model).count({})) +
      (await tx.model(file.storage.document.model).count({})),
    outboxEntries: await tx.model('SystemState').count({ where: { key: { startsWith: 'upload:' } } }),
  }));
  return { files: await storedFiles(site), ...counted };
};

export const createImage = (
  width: number,
  height: number,
  format: 'png' | 'jpeg' | 'webp' | 'gif' = 'png',
): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 90 } } })
    .toFormat(format)
    .toBuffer();

export const get = (
  site: Site,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> => fetch(site.server.url + path, { headers });

/** Returns the name of the error in a body, or undefined if it holds none. */
export const errorName = (body: unknown): unknown =>
  isRecord(body) && isRecord(body['error']) ? body['error']['name'] : undefined;
