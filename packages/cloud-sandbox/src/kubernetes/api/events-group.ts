import { getObject } from '../registry/update.ts';
import { apiVersionOf } from '../resources/definition.ts';
import { definitionOf } from '../resources/definitions.ts';
import { notFound } from './errors.ts';
import { asCoreQuery } from './event-fields.ts';
import { asCore, asEvent } from './event-forms.ts';
import { patchedEvent } from './event-patch.ts';
import { checkNewEvent } from './event-validation.ts';
import { type ApiResponse, type WatchStream } from './request.ts';
import { requestObject } from './request-object.ts';
import { answerResource, type ResourceCall } from './resource-requests.ts';
import type { ResourceRoute } from './route.ts';

/** events.k8s.io/v1 shows the same objects as the core group in another form. */
export function isEventsRoute({ definition }: ResourceRoute): boolean {
  return definition.group === 'events.k8s.io';
}

/** Asks the core group in its own words, and gives its answer in those of this one. */
export function coreEventCall(call: ResourceCall): ApiResponse {
  const { context, route } = call;
  const core = definitionOf('events');
  const { name } = route;
  const found = context.store.of('events').get(route.namespace, name ?? '');
  if (name !== undefined && found === undefined) throw notFound(route.definition, name);
  const query = asCoreQuery(route.query);
  const answer = answerResource({
    ...call,
    request: { ...call.request, ...contentOf(call) },
    route: { ...route, definition: core, query, verb: route.verb === 'patch' ? 'update' : route.verb },
  });
  return {
    ...answer,
    body: inOwnForm(answer.body),
    ...(answer.stream && { stream: convert(answer.stream) }),
  };
}

const json = { 'content-type': 'application/json' };

/** What the core group is sent: a patch of the one form is a whole object of the other. */
function contentOf(call: ResourceCall): Partial<ResourceCall['request']> {
  const { context, route, request } = call;
  const headers = { ...request.headers, ...json };
  switch (route.verb) {
    case 'create':
    case 'update': {
      const { object } = requestObject(call);
      checkNewEvent(route.definition, object);
      return { headers, body: JSON.stringify(asCore(object)) };
    }
    case 'patch': {
      const previous = getObject(context, definitionOf('events'), route.namespace, route.name ?? '');
      const next = patchedEvent(asEvent(previous), request);
      return { headers, body: JSON.stringify(asCore(next)) };
    }
    default:
      return {};
  }
}

const apiVersion = apiVersionOf({ group: 'events.k8s.io', version: 'v1' });

function inOwnForm(body: string): string {
  if (body === '') return body;
  const value: { kind?: string; items?: readonly object[] } = JSON.parse(body);
  if (value.kind === 'Event') return JSON.stringify(asEvent(value));
  if (value.kind !== 'EventList') return body;
  const items = (value.items ?? []).map((item) => {
    const { kind: _, apiVersion: __, ...event } = asEvent(item);
    return event;
  });
  return JSON.stringify({ ...value, apiVersion, items });
}

const convert = (stream: WatchStream): WatchStream => ({
  subscribe: (listener) =>
    stream.subscribe({
      end: () => listener.end(),
      line: (text) => {
        const event: { type: string; object: object } = JSON.parse(text);
        listener.line(
          `${JSON.stringify({ ...event, object: JSON.parse(inOwnForm(JSON.stringify(event.object))) })}\n`,
        );
      },
    }),
});
