import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createError } from '../errors/catalogue.js';
import { isGalleyError } from '../errors/galley-error.js';
import { loadProjectConfig } from '../config/load-config.js';
import type { ProjectConfig } from '../config/load-config.js';
import { messageOf } from '../lib/source-location.js';
import { buildModel } from '../model/build-model.js';
import { loadDefinitionsTolerantly } from './load-project-definitions.js';
import { noticeOf, reportProject } from '../strapi/report/project-report.js';
import type { Notice, ProjectReport } from '../strapi/report/project-report.js';

/** What of a project that Strapi runs would run here. */
export interface StrapiCheck extends ProjectReport {
  readonly types: number;
  readonly components: number;
  /** What prevents the start: mistakes in schema files, and configuration that cannot be loaded. */
  readonly errors: readonly Notice[];
}

const NO_CONFIG: ProjectConfig['strapi'] = { values: {}, files: [], skipped: [], ignored: [], refused: [] };

/** Configuration often needs variables or packages that are missing where it is only looked at. */
const tryConfig = async (
  root: string,
): Promise<{ readonly strapi: ProjectConfig['strapi']; readonly error: Notice | null }> => {
  try {
    return { strapi: (await loadProjectConfig(root)).strapi, error: null };
  } catch (error) {
    const reason = isGalleyError(error) ? error.message : messageOf(error);
    return { strapi: NO_CONFIG, error: { place: 'config', reason } };
  }
};

/**
 * Says what of a project written for Strapi would run. Changes nothing in it.
 *
 * @throws `project/no-strapi-project`
 */
export async function checkStrapiProject(root: string): Promise<StrapiCheck> {
  if (!existsSync(join(root, 'src')) && !existsSync(join(root, 'package.json')))
    throw createError('project/no-strapi-project', { folder: root });
  const { strapi, error } = await tryConfig(root);
  const errors: Notice[] = error === null ? [] : [error];
  const definitions = await loadDefinitionsTolerantly(root, strapi, (cause) =>
    errors.push({ place: 'plugins', reason: isGalleyError(cause) ? cause.message : messageOf(cause) }),
  );
  const { model, problems } = buildModel(definitions);
  const report = reportProject(root, strapi);
  const noticesOf = (severity: 'error' | 'warning'): readonly Notice[] =>
    problems
      .filter((problem) => problem.severity === severity)
      .map(({ file, line, attribute, message }) => ({
        place: `${file}:${line}`,
        reason: attribute === null ? message : `${attribute}: ${message}`,
      }));
  return {
    types: model?.types.filter(({ origin }) => origin !== 'builtin').length ?? 0,
    components: model?.components.length ?? 0,
    errors: [...errors, ...strapi.refused.map(noticeOf), ...noticesOf('error')],
    ...report,
    warnings: [...report.warnings, ...noticesOf('warning')],
  };
}
