import type { Health } from '../model/health.ts';
import type { JsonObject } from '../model/json.ts';

/** Reads the health of one kind from a live object whose controller has seen its present spec. Pure and total. */
export type HealthRule = (live: JsonObject) => Health;
