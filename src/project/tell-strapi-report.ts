import type { Logger } from '../server/logger.js';
import { isStrapiProject, reportProject } from '../strapi/report/project-report.js';
import type { Project } from './open-project.js';

/**
 * Returns a function that logs in one line how much of the code written for Strapi runs, and each option of
 * config/ without effect, whenever that has changed. It logs nothing for projects without any.
 */
export function createStrapiReporter(log: Logger): (project: Project) => void {
  let told = '';
  return ({ root, strapiConfig, model }) => {
    if (!isStrapiProject(root, strapiConfig)) return;
    const report = reportProject(root, { config: strapiConfig, model });
    const { files, notRunning, plugins, warnings, errors } = report;
    const missing = plugins.filter(({ state }) => state === 'missing').map(({ name }) => name);
    const counts = {
      running: files.running,
      total: files.total,
      notices: errors.length + notRunning.length + warnings.length,
    };
    const unapplied = strapiConfig.ignored.map(({ place, path, reason }) => `${place} ${path} ${reason}`);
    const summary = JSON.stringify([counts, missing, unapplied]);
    if (summary === told) return;
    told = summary;
    for (const text of unapplied) log.warn(text);
    const text = `${files.running} of ${files.total} files of server code run`;
    if (counts.notices + missing.length === 0) log.info(text);
    else
      log.warn(
        { notices: counts.notices, missingPlugins: missing },
        `${text}; cms doctor says what does not, and why`,
      );
  };
}
