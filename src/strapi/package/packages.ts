import { memoize } from '../../lib/memoize.js';
import * as strapi from './strapi.js';
import { createUtils } from './utils/installed-utils.js';

/** The packages that project code imports without installing them. */
export const PROVIDED_NAMES: readonly string[] = ['@strapi/strapi', '@strapi/utils'];

/** What the packages that the code of a project imports are here, installed or not. */
export const strapiPackages = memoize((root: string): Readonly<Record<string, object>> => ({
  '@strapi/strapi': strapi,
  '@strapi/utils': createUtils(root),
}));
