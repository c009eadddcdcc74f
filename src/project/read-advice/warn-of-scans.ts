import type { RanRead } from '../../documents/read/read-usages.js';
import { describeShape, readShapeOf } from '../../query/read-shape.js';
import type { Logger } from '../../server/logger.js';
import type { Project } from '../open-project.js';
import { FEW_ROWS, findScan } from './find-scan.js';
import { remediesOf, remedyCommands } from './remedies.js';
import { findSearchRemedies, searchedAttributes } from './search-remedy.js';

const check = async (project: Project, { query, isCount }: RanRead): Promise<string | null> => {
  const trial = await project.dialect.driver.openTrial(project.config.database.url);
  try {
    const [remedy] = await findScan(trial, project.model, query, isCount);
    const remedies = remedy === undefined ? await findSearchRemedies(project, trial, query) : [remedy];
    return remedies.length === 0 ? null : remedyCommands(remedies);
  } finally {
    await trial.close();
  }
};

/**
 * Creates a listener of slow reads, which logs those that look at more than a thousand rows though an index
 * could serve them. It looks at each shape once.
 */
export function warnOfScans(project: Project, logger: Logger): (read: RanRead, ms: number) => void {
  const seen = new Set<string>();
  return (read, ms) => {
    const shape = readShapeOf(read.query, read.isCount);
    const description = describeShape(shape);
    if (seen.has(description)) return;
    seen.add(description);
    const { model } = project;
    if (remediesOf(model, shape).length + searchedAttributes(model, shape).length === 0) return;
    check(project, read)
      .then((command) => {
        if (command === null) return;
        logger.warn(
          `${description} looked at more than ${FEW_ROWS} rows, in ${Math.round(ms)} ms. ` +
            `An index serves it: ${command}`,
        );
      })
      .catch((error: unknown) => logger.debug({ err: error }, 'The plan of a read could not be looked at'));
  };
}
