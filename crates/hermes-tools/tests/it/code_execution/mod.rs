mod execute_code;
