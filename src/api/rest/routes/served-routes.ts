import { isDisabled } from '../../../model/lookup.js';
import type { ContentModel } from '../../../model/model.js';
import { contentRoutes } from './content-routes.js';
import type { Route } from './route.js';

/** Parameters match the same, whatever they are called. */
const patternOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string =>
  `${method} ${path.replaceAll(/:\w+/g, ':')}`;

const isOfDisabledPlugin = (model: ContentModel, { contentType, guard }: Route): boolean =>
  (contentType !== null && isDisabled(model, contentType)) ||
  (typeof guard === 'object' && isDisabled(model, guard.uid));

/**
 * Leaves out built-in routes of plugins that are switched off, and those at whose place a content-type of the
 * project has one, such as `/api/users` where the project has a type of that plural name: the project comes
 * first, as in Strapi.
 */
export function servedRoutes<T extends Route>(
  model: ContentModel,
  prefix: string,
  routes: readonly T[],
): readonly T[] {
  const taken = new Set(contentRoutes(model, prefix).map(patternOf));
  return routes.filter((route) => !taken.has(patternOf(route)) && !isOfDisabledPlugin(model, route));
}
