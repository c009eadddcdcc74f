import { FILE_UID, ROLE_UID, USER_UID } from '../../../model/content-types/builtin/registry.js';
import { typeOf } from '../../../model/lookup.js';
import type { AccountOperation } from '../../rest/routes/account-routes.js';
import type { ContentOperation } from '../../rest/routes/content-routes.js';
import type { RemoteOperation } from '../../rest/routes/remote-routes.js';
import type { Route } from '../../rest/routes/route.js';
import type { SchemaOperation } from '../../rest/routes/schema-routes.js';
import type { UploadOperation } from '../../rest/routes/upload-routes.js';
import type { SchemaBook } from '../schemas/schema-book.js';
import { accountEndpoint } from './account-endpoints.js';
import { CONTENT_ENDPOINTS } from './content-endpoints.js';
import type { Endpoint } from './endpoint.js';
import {
  LOCALE_ENDPOINT,
  downloadEndpoint,
  remoteEndpoint,
  schemaEndpoint,
  transferEndpoint,
  uploadEndpoint,
} from './other-endpoints.js';
import type { ImageChoices } from './other-endpoints.js';

const REMOTE_OPERATION_NAMES: readonly RemoteOperation[] = [
  'about',
  'findContent',
  'listSchedules',
  'writeContent',
  'findProgress',
  'removeProgress',
  'findUsages',
  'findStrays',
  'removeStrays',
  'regenerateFormats',
];

/** The endpoints that are about no type, by their operations. */
const UNTYPED: Readonly<Record<string, (book: SchemaBook, images?: ImageChoices) => Endpoint>> = {
  listLocales: () => LOCALE_ENDPOINT,
  serveUploads: (_book, images) => downloadEndpoint(images),
  exportArchive: () => transferEndpoint('exportArchive'),
  importArchive: () => transferEndpoint('importArchive'),
  ...Object.fromEntries(
    (['getContentTypes', 'getContentType', 'getComponents', 'getComponent'] satisfies SchemaOperation[]).map(
      (operation) => [operation, () => schemaEndpoint(operation)],
    ),
  ),
  ...Object.fromEntries(
    REMOTE_OPERATION_NAMES.map((operation) => [
      operation,
      (book: SchemaBook) => remoteEndpoint(book, operation),
    ]),
  ),
};

/**
 * Describes the endpoint of a route, found in the table for the route's type. `images` are the
 * transformations that clients may request.
 *
 * @throws TypeError if no table has it
 */
export function endpointOf(
  book: SchemaBook,
  { contentType, operation }: Route,
  images?: ImageChoices,
): Endpoint {
  if (contentType === null) {
    const create = UNTYPED[operation];
    if (create === undefined) throw new TypeError(`Nothing describes the endpoint ${operation}`);
    return create(book, images);
  }
  if (contentType === FILE_UID) return uploadEndpoint(book, operation as UploadOperation);
  if (contentType === USER_UID || contentType === ROLE_UID)
    return accountEndpoint(book, operation as AccountOperation, contentType);
  return CONTENT_ENDPOINTS[operation as ContentOperation](book, typeOf(book.model, contentType));
}
