// Validates a Kubernetes Job, which is read as JSON from standard input, by the schemas of kubernetes-models. Those accept keys that
// they do not know; here, a key that the validator never looks at is a fault, too.
import { readFileSync } from "node:fs";
import { Job } from "kubernetes-models/batch/v1";

const unread = new Set();

function watched(value, path) {
  if (typeof value !== "object" || value === null) return value;
  const made = Array.isArray(value) ? [] : {};
  for (const [key, child] of Object.entries(value)) {
    const place = `${path}/${key}`;
    made[key] = watched(child, place);
    if (!Array.isArray(value)) unread.add(place);
  }
  return new Proxy(made, {
    get(target, key) {
      unread.delete(`${path}/${String(key)}`);
      return target[key];
    },
  });
}

Job.prototype.validate.call(watched(JSON.parse(readFileSync(0, "utf8")), ""));  // `new Job` would read every key
if (unread.size > 0) throw new Error(`the schema does not know ${[...unread].join(", ")}`);
