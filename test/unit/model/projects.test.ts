import { describe, expect, it } from 'vitest';
import { loadDefinitions } from '../../../src/model/content-types/load-definitions.js';
import { buildModel } from '../../../src/model/build-model.js';
import { fixtureProject, loadFixtureModel } from '../../support/models.js';

describe.each(['magazine', 'launchpad'] as const)('%s', (name) => {
  it('loads without a single problem', async () => {
    const { model, problems } = buildModel(await loadDefinitions(fixtureProject(name)));
    expect(problems).toEqual([]);
    expect(model).not.toBeNull();
  });
});

describe('magazine', () => {
  it('has its own types, the built-in types and its components by uid', async () => {
    const model = await loadFixtureModel('magazine');
    expect(model.types.map(({ uid }) => uid)).toEqual([
      'api::article.article',
      'api::author.author',
      'api::category.category',
      'api::homepage.homepage',
      'api::profile.profile',
      'api::setting.setting',
      'api::tag.tag',
      'plugin::upload.file',
      'plugin::users-permissions.permission',
      'plugin::users-permissions.role',
      'plugin::users-permissions.user',
    ]);
    expect(model.components.map(({ uid, typeName }) => [uid, typeName])).toEqual([
      ['sections.quote', 'ComponentSectionsQuote'],
      ['sections.related', 'ComponentSectionsRelated'],
      ['sections.text', 'ComponentSectionsText'],
      ['shared.link', 'ComponentSharedLink'],
      ['shared.seo', 'ComponentSharedSeo'],
      ['shared.social', 'ComponentSharedSocial'],
    ]);
  });
});
