"use strict";
const { AssertionError } = require("node:assert");

/** Something is wrong with the set-up; the message is one sentence with the fix. */
class MockAPNsError extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = "MockAPNsError";
  }
}

/** An expectation was not met; the message is what the server says about it. */
class ExpectationError extends AssertionError {
  constructor(text, stackStart) {
    super({ message: text, stackStartFn: stackStart });
    this.name = "ExpectationError";
  }
}

module.exports = { MockAPNsError, ExpectationError };
