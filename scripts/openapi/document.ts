import * as z from 'zod/mini';
import {
  type CreateDocumentOptions,
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { type ProblemCode, problems, problemType } from '../../shared/scale-api/problem.ts';
import type { DescribedAnswer, Route } from '../../shared/scale-api/router.ts';
import { routes } from '../../shared/scale-api/routes.ts';
import type { ScaleContext } from '../../shared/scale-api/scale-context.ts';
import { answerSchemas } from '../../shared/scale-api/schemas/answers/all.ts';
import { problem } from '../../shared/scale-api/schemas/answers/problem.ts';

type AnyRoute = Route<ScaleContext>;

const pathParameters: Readonly<Record<string, string>> = {
  group: 'The name of a managed Auto Scaling group, percent-encoded',
  instanceId: 'The id of an instance of a managed group',
  name: 'The name of the hold: letters, digits, dots, dashes and underscores',
  schedule: 'The name of the schedule: letters, digits, dots and dashes',
};

const headers = {
  ETag: {
    schema: { type: 'string' as const },
    description: 'The tag of MinSize, MaxSize and DesiredCapacity, for If-Match of a change',
  },
  Location: {
    schema: { type: 'string' as const, format: 'uri-reference' },
    description: 'The link to the progress of the change',
  },
  'Retry-After': {
    schema: { type: 'integer' as const },
    description: 'Seconds until the next poll or retry',
  },
};

/** The problems of every request. A slash in the name of a group may turn one path into another, which allows other methods. */
const problemsOfRequests: readonly ProblemCode[] = [
  'invalid-parameter',
  'forbidden',
  'method-not-allowed',
  'internal',
  'not-permitted',
  'throttled',
  'unavailable',
];

const problemsOfBodies: readonly ProblemCode[] = [
  'malformed-request',
  'body-too-large',
  'unsupported-media-type',
  'invalid-body',
];

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html */
const tooLong = {
  '431': { description: 'From API Gateway: the request line and the headers exceed 10,240 bytes' },
};

const gatewayMessage = z.object({ message: z.string() }).check(
  z.meta({
    id: 'GatewayMessage',
    description: 'From API Gateway: the request is not signed, or IAM denies it',
  }),
);

/** The problem answers of a route, by status. Each description lists the possible types of problem. */
function problemResponses({ body, problems: own = [] }: AnyRoute): ZodOpenApiResponsesObject {
  const codes = [...problemsOfRequests, ...(body ? problemsOfBodies : []), ...own];
  const byStatus = Map.groupBy(codes, (code) => String(problems[code].status));
  const responses = [...byStatus].map(([status, ofStatus]) => [
    status,
    {
      description: ofStatus.map((code) => `${problems[code].title} (${problemType(code)})`).join('. '),
      content: {
        'application/problem+json': { schema: problem },
        ...(status === '403' && { 'application/json': { schema: gatewayMessage } }),
      },
    },
  ]);
  return { ...Object.fromEntries(responses), ...tooLong };
}

const responseOf = ({ description, schema, headers: names }: DescribedAnswer): ZodOpenApiResponseObject => ({
  description,
  ...(schema && { content: { 'application/json': { schema: answerSchemas[schema] } } }),
  ...(names && { headers: Object.fromEntries(names.map((name) => [name, headers[name]])) }),
});

function operationOf(operationId: string, route: AnyRoute): ZodOpenApiOperationObject {
  const { summary, path, query, header, body, answers } = route;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const parameters = names.map((name) => [name, z.string().check(z.describe(pathParameters[name] ?? ''))]);
  return {
    operationId,
    summary,
    ...((query || names.length > 0) && {
      requestParams: {
        ...(names.length > 0 && { path: z.object(Object.fromEntries(parameters)) }),
        ...(query && { query: query() as z.ZodMiniObject }),
        ...(header && { header: header() as z.ZodMiniObject }),
      },
    }),
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body() } } } }),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, responseOf(answer)])),
      ...problemResponses(route),
    },
  };
}

const paths = Object.fromEntries(
  [...Map.groupBy(Object.entries(routes), ([, { path }]) => path)].map(([path, operations]) => [
    path,
    Object.fromEntries(operations.map(([id, route]) => [route.method.toLowerCase(), operationOf(id, route)])),
  ]),
);

const content: ZodOpenApiObject = {
  openapi: '3.1.0',
  info: {
    title: 'Drover scale API',
    version: '1',
    description: 'The managed Auto Scaling groups of one cluster, their nodes, and their desired capacity.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [
    {
      url: 'https://{apiId}.execute-api.{region}.amazonaws.com',
      variables: { apiId: { default: 'api' }, region: { default: 'eu-west-1' } },
    },
  ],
  security: [{ iam: [] }],
  paths,
  components: {
    securitySchemes: {
      iam: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description: 'AWS Signature Version 4, service execute-api',
      },
    },
  },
};

/** Answers allow additional properties, because they may gain fields later. The bounds of JavaScript's safe integers are left out. */
const simplify: CreateDocumentOptions['override'] = ({ jsonSchema, io }) => {
  if (io === 'output') delete jsonSchema.additionalProperties;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
};

/** The OpenAPI document of the scale API, made from its routes and from the schemas that validate its requests. */
export const openApiDocument = () => createDocument(content, { override: simplify });

/** The text of docs/openapi.json. */
export const openApiText = (): string => `${JSON.stringify(openApiDocument(), null, 2)}\n`;
