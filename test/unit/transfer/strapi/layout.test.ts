import { describe, expect, it } from 'vitest';
import { identifier } from '../../../../src/transfer/strapi/layout.js';

describe('identifier', () => {
  it.each([
    [['books', 'genres'], { suffix: 'lnk' }, 'books_genres_lnk'],
    [['book'], { prefix: 'inv', suffix: 'ord' }, 'inv_book_ord'],
    [
      ['components_sections_a_very_long_collection_name_of_a_type'],
      {},
      'components_sections_a_very_long_collection_name_of48c9d',
    ],
    [
      [
        'components_sections_a_very_long_collection_name_of_a_type',
        'and_an_attribute_whose_name_is_long_too',
      ],
      { suffix: 'lnk' },
      'components_sections_48c9d_and_an_attribute_who1874d_lnk',
    ],
    [
      ['components_sections_a_very_long_collection_name_of_a_type', 'tags'],
      { suffix: 'lnk' },
      'components_sections_a_very_long_collectio48c9d_tags_lnk',
    ],
    [
      ['books', 'components_sections_a_very_long_collection_name_of_a_type'],
      { suffix: 'mph' },
      'books_components_sections_a_very_long_collecti48c9d_mph',
    ],
    [
      ['components_sections_a_very_long_collection_name_of_a_type'],
      { prefix: 'inv', suffix: 'ord' },
      'inv_components_sections_a_very_long_collection48c9d_ord',
    ],
    [
      ['components_sections_a_very_long_collection_name_of_a_type'],
      { suffix: 'id' },
      'components_sections_a_very_long_collection_name48c9d_id',
    ],
  ])('of %j with %j is Strapi’s', (parts, affixes, expected) => {
    expect(identifier(parts, affixes)).toBe(expected);
    expect(expected.length).toBeLessThanOrEqual(55);
  });
});
