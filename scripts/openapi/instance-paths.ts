import type { ZodOpenApiObject } from 'zod-openapi';
import { instance, instanceList } from '../../shared/scale-api/schemas/answers/group.ts';
import { termination, terminationPlan } from '../../shared/scale-api/schemas/answers/termination.ts';
import { instancesQuery } from '../../shared/scale-api/schemas/paging.ts';
import { instanceParameters, terminationQuery } from '../../shared/scale-api/schemas/termination.ts';
import { failures, jsonAnswer, retryAfter } from './answers.ts';
import { problemResponses } from './problem-responses.ts';

const onInstance = { path: instanceParameters() };

/** The operations on instances. */
export const instancePaths: ZodOpenApiObject['paths'] = {
  '/instances': {
    get: {
      operationId: 'listInstances',
      summary: 'The instances of every managed group, or of one, with their nodes',
      requestParams: { query: instancesQuery() },
      responses: {
        '200': jsonAnswer('A page of instances', instanceList),
        ...problemResponses('invalid-parameter', 'group-not-found', ...failures),
      },
    },
  },
  '/instances/{instanceId}': {
    get: {
      operationId: 'getInstance',
      summary: 'One instance with its node',
      requestParams: onInstance,
      responses: {
        '200': jsonAnswer('The instance', instance),
        ...problemResponses('invalid-parameter', 'instance-not-found', ...failures),
      },
    },
    delete: {
      operationId: 'terminateInstance',
      summary: 'Drain the node and terminate the instance, with or without lowering the desired capacity',
      requestParams: { ...onInstance, query: terminationQuery() },
      responses: {
        '200': jsonAnswer('A dry run: what would happen', terminationPlan),
        '202': {
          ...jsonAnswer('Accepted: the link shows the instance until it is gone', termination),
          headers: {
            ...retryAfter,
            Location: {
              schema: { type: 'string' as const, format: 'uri-reference' },
              description: 'The link for the state of the instance',
            },
          },
        },
        ...problemResponses(
          'invalid-parameter',
          'instance-not-found',
          'group-busy',
          'held',
          'etcd-group',
          'eks-nodegroup',
          'undrained',
          'capacity-out-of-bounds',
          ...failures,
        ),
      },
    },
  },
};
