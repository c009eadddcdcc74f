import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createError } from '../errors/catalogue.js';
import { isGalleyError } from '../errors/galley-error.js';
import { loadProjectConfig } from '../config/load-config.js';
import type { ProjectConfig } from '../config/load-config.js';
import { missingPackageOf } from '../lib/package-name.js';
import { messageOf } from '../lib/source-location.js';
import { buildModel } from '../model/build-model.js';
import { loadDefinitionsTolerantly } from './load-project-definitions.js';
import { noticeOf, reportProject } from '../strapi/report/project-report.js';
import type { Notice, ProjectReport } from '../strapi/report/project-report.js';
import { findsPlannedPackage, planPackages } from '../strapi/report/plan-packages.js';
import type { FindsPackage } from '../strapi/report/missing-packages.js';
import { dependenciesOf } from '../strapi/report/plugin-report.js';

/**
 * The parts of a Strapi project that would run here. Its errors are also mistakes in schema files, and
 * configuration that cannot be loaded.
 */
export interface StrapiCheck extends ProjectReport {
  readonly types: number;
  readonly components: number;
}

const NO_CONFIG: ProjectConfig['strapi'] = { values: {}, files: [], skipped: [], ignored: [], refused: [] };

interface Tried {
  readonly errors: readonly Notice[];
  readonly warnings: readonly Notice[];
}

/** A package that the new project will have, but this folder has not, is no mistake of the project. */
const triedWith = (findsPackage: FindsPackage | undefined, place: string, error: unknown): Tried => {
  const dependency = missingPackageOf(error);
  if (dependency !== null && findsPackage?.(dependency, place) === true)
    return {
      errors: [],
      warnings: [{ place, reason: `not examined: ${dependency} is not installed in this folder` }],
    };
  return {
    errors: [{ place, reason: isGalleyError(error) ? error.message : messageOf(error) }],
    warnings: [],
  };
};

/** The folder from which the code resolves its packages. A Galley project is that folder itself. */
const packagesOf = (root: string): FindsPackage | undefined =>
  dependenciesOf(root).includes('galley') ? undefined : findsPlannedPackage(planPackages(root));

/**
 * Says what of a project written for Strapi would run. Changes nothing in it.
 *
 * @throws `project/no-strapi-project`
 */
export async function checkStrapiProject(root: string): Promise<StrapiCheck> {
  if (!existsSync(join(root, 'src')) && !existsSync(join(root, 'package.json')))
    throw createError('project/no-strapi-project', { folder: root });
  const findsPackage = packagesOf(root);
  const tried: Tried[] = [];
  const onError = (place: string, error: unknown): void => {
    tried.push(triedWith(findsPackage, place, error));
  };
  // Configuration often needs variables or packages that are missing where it is only looked at.
  const strapi = await loadProjectConfig(root).then(
    (config) => config.strapi,
    (error: unknown) => {
      onError('config', error);
      return NO_CONFIG;
    },
  );
  const definitions = await loadDefinitionsTolerantly(root, strapi, (cause) => onError('plugins', cause));
  const { model, problems } = buildModel(definitions);
  const report = reportProject(root, { config: strapi, model, findsPackage });
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
    ...report,
    errors: [
      ...tried.flatMap(({ errors }) => errors),
      ...report.errors,
      ...strapi.refused.map(noticeOf),
      ...noticesOf('error'),
    ],
    warnings: [...tried.flatMap(({ warnings }) => warnings), ...report.warnings, ...noticesOf('warning')],
  };
}
