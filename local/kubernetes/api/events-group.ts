import type { Event as CoreEvent } from 'kubernetes-types/core/v1.d.ts';
import type { Event } from 'kubernetes-types/events/v1.d.ts';
import { createObject } from '../registry/create.ts';
import { deleteObject } from '../registry/delete.ts';
import { getObject } from '../registry/update.ts';
import { definitionOf } from '../resources/definitions.ts';
import type { Stored } from '../store/object.ts';
import { encodeList } from './encode.ts';
import { methodNotAllowed } from './errors.ts';
import { type ApiResponse, jsonResponse } from './request.ts';
import { nameOf, objectOf, type ResourceCall, writeOptions } from './resource-requests.ts';
import type { ResourceRoute } from './route.ts';

/** events.k8s.io/v1 shows the same objects as the core group in another form. */
export function isEventsRoute({ definition }: ResourceRoute): boolean {
  return definition.group === 'events.k8s.io';
}

/** Creates, reads, lists and deletes; to change or watch an Event, the core group is used. */
export function coreEventCall(call: ResourceCall): ApiResponse {
  const { context, lister, route } = call;
  const definition = definitionOf('events');
  switch (route.verb) {
    case 'create': {
      const core = toCore(objectOf(call) as Event);
      return jsonResponse(
        201,
        toEvent(createObject(context, definition, core, writeOptions(call)) as Stored<CoreEvent>),
      );
    }
    case 'get':
      return jsonResponse(
        200,
        toEvent(getObject(context, definition, route.namespace, nameOf(call)) as Stored<CoreEvent>),
      );
    case 'list': {
      const { items, metadata } = lister.list({ ...route, definition });
      const events = items.map((item) => JSON.stringify(toEvent(item as Stored<CoreEvent>)));
      return jsonResponse(200, encodeList(route.definition, metadata, events));
    }
    case 'delete': {
      const object = getObject(context, definition, route.namespace, nameOf(call));
      deleteObject(context, { definition, object, options: {} });
      return jsonResponse(200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' });
    }
    case 'watch':
    case 'update':
    case 'patch':
    case 'deletecollection':
      throw methodNotAllowed();
  }
}

/** kubectl sorts and dates core events by their old fields: an event of the new form is given its time in those, too. */
function toCore(event: Event): CoreEvent {
  const { regarding = {}, note, deprecatedSource, deprecatedCount, reportingController, ...rest } = event;
  const { deprecatedFirstTimestamp, deprecatedLastTimestamp, eventTime, ...fields } = rest;
  return {
    ...fields,
    apiVersion: 'v1',
    metadata: event.metadata ?? {},
    involvedObject: regarding,
    eventTime,
    ...(note !== undefined && { message: note }),
    ...(reportingController !== undefined && { reportingComponent: reportingController }),
    ...(deprecatedSource !== undefined && { source: deprecatedSource }),
    ...(deprecatedCount !== undefined && { count: deprecatedCount }),
    ...(deprecatedFirstTimestamp !== undefined && { firstTimestamp: deprecatedFirstTimestamp }),
    ...(deprecatedLastTimestamp !== undefined && { lastTimestamp: deprecatedLastTimestamp }),
  };
}

function toEvent(core: Stored<CoreEvent>): object {
  const {
    involvedObject,
    message,
    source,
    count,
    firstTimestamp,
    lastTimestamp,
    reportingComponent,
    ...rest
  } = core;
  return {
    ...rest,
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    regarding: involvedObject,
    note: message,
    reportingController: reportingComponent,
    deprecatedSource: source,
    deprecatedCount: count,
    deprecatedFirstTimestamp: firstTimestamp,
    deprecatedLastTimestamp: lastTimestamp,
  };
}
