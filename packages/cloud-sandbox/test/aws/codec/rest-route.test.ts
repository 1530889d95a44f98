import * as scheduler from '@aws-sdk/client-scheduler';
import { expect, test } from 'vitest';
import { matchPath, routeOf } from '../../../src/aws/codec/rest-route.ts';

test.each([
  ['GET', '/schedules/a', 'GetSchedule'],
  ['POST', '/schedules/a', 'CreateSchedule'],
  ['GET', '/schedules', 'ListSchedules'],
  ['DELETE', '/schedule-groups/a', 'DeleteScheduleGroup'],
  ['GET', '/tags/arn%3Aaws%3Ascheduler%3A%2Fx', 'ListTagsForResource'],
  ['GET', '/nowhere', undefined],
  ['PATCH', '/schedules/a', undefined],
])('%s %s is %s', (method, path, name) => {
  expect(routeOf(scheduler, method, path)?.name).toBe(name);
});

test('labels are percent-decoded, and invalid escapes are kept unchanged', () => {
  expect(matchPath('/schedules/{Name}', '/schedules/a%20b%2Fc%C3%A9')).toEqual({ Name: 'a b/cé' });
  expect(matchPath('/schedules/{Name}', '/schedules/100%')).toEqual({ Name: '100%' });
});
