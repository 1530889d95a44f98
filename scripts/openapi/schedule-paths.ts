import type { ZodOpenApiObject } from 'zod-openapi';
import { changedSchedule, schedule, scheduleList } from '../../shared/scale-api/schemas/answers/schedule.ts';
import { countQuery, dryRunQuery, replacingQuery } from '../../shared/scale-api/schemas/parameters.ts';
import {
  scheduleParameters,
  schedulePause,
  scheduleRequest,
} from '../../shared/scale-api/schemas/schedule.ts';
import { failures, jsonAnswer } from './answers.ts';
import { problemResponses } from './problem-responses.ts';

const onSchedule = { path: scheduleParameters() };

/** The operations on schedules. */
export const schedulePaths: ZodOpenApiObject['paths'] = {
  '/schedules': {
    get: {
      operationId: 'listSchedules',
      summary: 'Every schedule, and when its nodes are Ready next',
      responses: {
        '200': jsonAnswer('The schedules, by name', scheduleList),
        ...problemResponses('invalid-parameter', ...failures),
      },
    },
  },
  '/schedules/{schedule}': {
    get: {
      operationId: 'getSchedule',
      summary: 'One schedule with its next times',
      requestParams: { ...onSchedule, query: countQuery() },
      responses: {
        '200': jsonAnswer('The schedule', schedule),
        ...problemResponses(
          'invalid-parameter',
          'schedule-not-found',
          'invalid-schedule',
          'group-not-found',
          ...failures,
        ),
      },
    },
    put: {
      operationId: 'createSchedule',
      summary: 'Have nodes Ready at the times of an expression',
      requestParams: { ...onSchedule, query: replacingQuery() },
      requestBody: { required: true, content: { 'application/json': { schema: scheduleRequest() } } },
      responses: {
        '200': jsonAnswer(
          'The schedule stands already, was replaced, or is that of a dry run',
          changedSchedule,
        ),
        '201': jsonAnswer('The schedule was made', changedSchedule),
        ...problemResponses(
          'malformed-request',
          'invalid-parameter',
          'group-not-found',
          'schedule-not-found',
          'schedule-taken',
          'body-too-large',
          'unsupported-media-type',
          'invalid-body',
          'invalid-schedule',
          ...failures,
        ),
      },
    },
    patch: {
      operationId: 'pauseSchedule',
      summary: 'Pause a schedule, or end its pause',
      requestParams: { ...onSchedule, query: dryRunQuery() },
      requestBody: { required: true, content: { 'application/json': { schema: schedulePause() } } },
      responses: {
        '200': jsonAnswer('The schedule', changedSchedule),
        ...problemResponses(
          'malformed-request',
          'invalid-parameter',
          'schedule-not-found',
          'group-not-found',
          'body-too-large',
          'unsupported-media-type',
          'invalid-body',
          'invalid-schedule',
          ...failures,
        ),
      },
    },
    delete: {
      operationId: 'deleteSchedule',
      summary: 'Delete a schedule; a hold that it has made stands until its end',
      requestParams: { ...onSchedule, query: dryRunQuery() },
      responses: {
        '204': { description: 'The schedule is deleted, or would be' },
        ...problemResponses('invalid-parameter', 'schedule-not-found', ...failures),
      },
    },
  },
};
