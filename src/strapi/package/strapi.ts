import { createError } from '../../errors/catalogue.js';
import { createCoreController } from '../http/factories/core-controller.js';
import { createCoreRouter } from '../http/factories/core.js';
import { createCoreService } from '../http/factories/core-service.js';

/** `factories` of `@strapi/strapi`. */
export const factories = { createCoreController, createCoreService, createCoreRouter };

const same = <T>(definition: T): T => definition;

/** `ai` of `@strapi/strapi`, whose functions return definitions for `strapi.ai.mcp` unchanged. */
export const ai = { mcp: { defineTool: same, definePrompt: same, defineResource: same } };

/**
 * `createStrapi` of `@strapi/strapi`, which scripts call to start Strapi. Always throws.
 *
 * @throws `project/unknown-property`
 */
export function createStrapi(): never {
  throw createError('project/unknown-property', {
    name: "createStrapi of '@strapi/strapi'",
    remedy: 'cms start serves the project, cms content and cms import change its content.',
  });
}
