import type { Access } from '../../access/access.js';
import type { ContentModel } from '../../model/model.js';
import type { QueryLimits } from '../../query/read-context.js';
import type { Logger } from '../../server/logger.js';
import type { ContentParams } from './content-params.js';
import type { BodyLimits } from './request-body.js';
import type { SessionSettings } from './context.js';

/** A registry of project code by uid: `api::article.article`. */
interface Lookup {
  readonly get: (uid: string) => unknown;
  readonly keys: () => readonly string[];
}

/** The dependencies of the HTTP part of the Strapi layer. */
export interface HttpHost {
  /** The project's folder. */
  readonly root: string;
  /** The `strapi` object of project code. */
  readonly strapi: object;
  readonly model: ContentModel;
  readonly access: Access;
  readonly logger: Logger;
  /** `/api` */
  readonly prefix: string;
  readonly limits: QueryLimits;
  /** True: routes of content reject unknown query parameters. */
  readonly strictParams: boolean;
  /** The parameters that project code adds to routes. */
  readonly contentParams: ContentParams;
  /** The settings of `strapi::session`. */
  readonly session: SessionSettings;
  readonly isProxied: boolean;
  readonly bodyLimits: BodyLimits;
  /** Bytes of a body with files. */
  readonly uploadLimit: number;
  /** The first keys sign cookies. */
  readonly keys: readonly string[] | undefined;
  readonly controllers: Lookup;
  readonly services: Lookup;
  readonly policies: Lookup;
  readonly middlewares: Lookup;
  /** Reads a user with its role and all attributes, as Strapi does, for `ctx.state.user`. */
  readonly loadUser: (id: number) => Promise<unknown>;
  /** Loads a file of the project or a package, and returns its default export. */
  readonly loadModule: (path: string) => Promise<unknown>;
}
