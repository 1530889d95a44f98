import { expect, it } from 'vitest';
import { stories } from './support/stories/all.ts';

it.each(stories.map((story) => [story.name, story] as const))(
  'the story of %s ends well with the rights of the deployment',
  async (_, story) => {
    expect(await story({})).toEqual([]);
  },
);
