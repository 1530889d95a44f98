import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  type GeneratedApiServer,
  startGeneratedApiServer,
} from '../../../scripts/bench/generated-api-server.ts';
import { listPaths, wholeCluster } from '../../../scripts/bench/whole-objects.ts';

const pageSchema = z.object({
  metadata: z.object({ continue: z.optional(z.string()) }),
  items: z.array(z.looseObject({ metadata: z.looseObject({ name: z.string() }) })),
});

describe('the generated API server of the bench', () => {
  let server: GeneratedApiServer;
  beforeAll(async () => {
    server = await startGeneratedApiServer();
  });
  afterAll(() => server.close());

  const read = async (target: string) => {
    const response = await fetch(`${server.url}${target}`);
    return {
      encoding: response.headers.get('content-encoding'),
      page: pageSchema.parse(await response.json()),
    };
  };

  it('serves pages of whole objects, compressed, and each object once', async () => {
    const { encoding, page } = await read(`${listPaths.nodes}?limit=600`);
    const { page: last } = await read(`${listPaths.nodes}?limit=600&continue=${page.metadata.continue}`);
    expect(encoding).toBe('gzip');
    expect(last.metadata.continue).toBeUndefined();
    const names = [...page.items, ...last.items].map(({ metadata }) => metadata.name);
    expect(new Set(names).size).toBe(wholeCluster.nodes);
  });

  it('has pods of about 12 KB and Nodes of about 30 KB', async () => {
    const lengthIn = async (path: string): Promise<number> => {
      const { page } = await read(`${path}?limit=30`);
      return page.items.reduce((sum, item) => sum + JSON.stringify(item).length, 0) / page.items.length;
    };
    expect(Math.round((await lengthIn(listPaths.pods)) / 1000)).toBe(12);
    expect(Math.round((await lengthIn(listPaths.nodes)) / 1000)).toBe(30);
  });

  it('answers with an empty list for kinds that it does not have', async () => {
    expect((await read('/api/v1/persistentvolumes?limit=500')).page).toEqual({ metadata: {}, items: [] });
  });
});
