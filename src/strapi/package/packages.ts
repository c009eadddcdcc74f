import * as strapi from './strapi.js';
import * as utils from './utils.js';

/** What the packages that project code imports are here, installed or not. */
export const STRAPI_PACKAGES: Readonly<Record<string, object>> = {
  '@strapi/strapi': strapi,
  '@strapi/utils': utils,
};
