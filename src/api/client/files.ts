import type { Query } from '../../generate/typegen/declarations/query.js';
import type { RequestOptions, Transport } from './transport.js';

/** The metadata of a file that clients may set. */
export interface FileInfo {
  readonly name?: string;
  readonly alternativeText?: string | null;
  readonly caption?: string | null;
  /** The point of an image that crops keep, in percent. */
  readonly focalPoint?: { readonly x: number; readonly y: number } | null;
}

export interface UploadOptions extends RequestOptions {
  /** One for all files, or one for each. */
  readonly info?: FileInfo | readonly FileInfo[];
  /** The attribute of a document that gets the files. `ref` is the uid of its type. */
  readonly link?: { readonly ref: string; readonly refId: string | number; readonly field: string };
}

/** The media library. */
export interface Files<File> {
  upload(files: Blob | readonly Blob[], options?: UploadOptions): Promise<File[]>;
  find(
    query?: Pick<Query<File>, 'filters' | 'sort' | 'pagination'>,
    options?: RequestOptions,
  ): Promise<File[]>;
  findOne(id: number, options?: RequestOptions): Promise<File>;
  /** Changes what is said of a file, and its content where there is a new one. */
  update(id: number, info: FileInfo, content?: Blob | null, options?: RequestOptions): Promise<File>;
  /** Deletes a file with its links. Returns what it was. */
  delete(id: number, options?: RequestOptions): Promise<File>;
}

/** Creates the operations of the media library. */
export function createFiles({ send, options: { prefix } }: Transport): Files<never> {
  const path = `${prefix}/upload`;
  const post = (
    query: object,
    files: readonly Blob[],
    fields: Readonly<Record<string, string | number | object | undefined>>,
    options?: RequestOptions,
  ): Promise<unknown> => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields))
      if (value !== undefined)
        body.append(name, typeof value === 'object' ? JSON.stringify(value) : `${value}`);
    for (const file of files) body.append('files', file);
    return send('POST', path, { query, body, ...options });
  };
  const files = {
    upload: (given: Blob | readonly Blob[], { info, link, ...options }: UploadOptions = {}) =>
      post({}, [given].flat(), { fileInfo: info, ...link }, options),
    find: (query?: object, options?: RequestOptions) => send('GET', `${path}/files`, { query, ...options }),
    findOne: (id: number, options?: RequestOptions) => send('GET', `${path}/files/${id}`, options),
    update: (id: number, info: FileInfo, content?: Blob | null, options?: RequestOptions) =>
      post({ id }, content ? [content] : [], { fileInfo: info }, options),
    delete: (id: number, options?: RequestOptions) => send('DELETE', `${path}/files/${id}`, options),
  };
  return files as never;
}
