import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** The projects whose files take longest come first, so that no worker idles at the end. */
const ORDER = ['docs', 'guides', 'browser', 'long', 'cli', 'database', 'mocked', 'unit'];

/** Files that take long, though they are short. They come first in their project. */
const SLOW = ['cli/examples', 'schema-changes/', 'security/matrix', 'random-operations', 'api/recordings'];

/**
 * Keeps the files of a project together, since a worker that goes on to another one starts anew. Within a
 * project long files come first.
 */
export class HeaviestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ project, moduleId }: TestSpecification): number =>
      2 * ORDER.indexOf(project.name) + (SLOW.some((name) => moduleId.includes(name)) ? 0 : 1);
    return sorted.toSorted((left, right) => rank(left) - rank(right));
  }
}
