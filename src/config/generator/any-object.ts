import { z } from 'zod';

import { isJsonObject, type JsonObject, type JsonValue } from '../../model/json.ts';

/** Any map as it stands: zod must not copy it, since it would drop keys such as '__proto__'. */
export const anyObject = z.custom<JsonObject>(isJsonObject, { error: 'must be a map' });

/** Any JSON as it stands, null included; missing is an issue. */
export const anyValue = z.custom<JsonValue>((value) => value !== undefined, { error: 'is required' });
