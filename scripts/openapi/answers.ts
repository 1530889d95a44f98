import type * as z from 'zod/mini';
import type { ZodOpenApiResponseObject } from 'zod-openapi';

/** An answer with a JSON body. */
export const jsonAnswer = (description: string, schema: z.ZodMiniType): ZodOpenApiResponseObject => ({
  description,
  content: { 'application/json': { schema } },
});

export const retryAfter = {
  'Retry-After': {
    schema: { type: 'integer' as const },
    description: 'Seconds until the next poll or retry',
  },
};

export const entityTag = {
  ETag: {
    schema: { type: 'string' as const },
    description: 'Of MinSize, MaxSize and DesiredCapacity, for If-Match of a change',
  },
};

/** The problems of any request. A slash in the name of a group may make of a path another one, which allows other methods. */
export const failures = [
  'forbidden',
  'method-not-allowed',
  'internal',
  'not-permitted',
  'throttled',
  'unavailable',
] as const;
