import { createError } from '../../errors/catalogue.js';

type Factory = (uid: string, overrides?: unknown) => (tools: { readonly strapi: unknown }) => unknown;

/** What a file made by a factory without a second argument stands for: what Galley does itself. */
const createDefault: Factory = () => () => ({});

/** `factories` of `@strapi/strapi`. */
export const factories = {
  createCoreController: createDefault,
  createCoreService: createDefault,
  createCoreRouter: createDefault,
};

/**
 * Strapi's own way to start, which scripts use.
 *
 * @throws `project/unknown-property`
 */
export function createStrapi(): never {
  throw createError('project/unknown-property', {
    name: "createStrapi of '@strapi/strapi'",
    remedy: 'cms start serves the project, cms content and cms import change its content.',
  });
}
